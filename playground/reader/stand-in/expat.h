/* SPDX-License-Identifier: MIT */
/* The part of expat that idg/xml/idg-xml.c calls, for WebAssembly, where there is no expat: a
 * parser of UTF-8 in memory, whose callbacks get what expat's do. Names, meanings and ownership are
 * expat's. All of a text comes at once; whoever is told of a document type declaration stops. */
#pragma once

#include <stddef.h>

typedef char XML_Char;
typedef struct XML_ParserStruct *XML_Parser;

enum XML_Status
{
  XML_STATUS_ERROR,
  XML_STATUS_OK,
};

/* Of what is not well-formed only what says more than its place. */
enum XML_Error
{
  XML_ERROR_NONE,
  XML_ERROR_NO_MEMORY,
  XML_ERROR_INVALID_TOKEN = 4,
  XML_ERROR_DUPLICATE_ATTRIBUTE = 8,
  XML_ERROR_ABORTED = 35,
};

enum
{
  XML_FALSE,
  XML_TRUE,
};

typedef struct
{
  void *(*malloc_fcn) (size_t n);
  void *(*realloc_fcn) (void *block, size_t n);
  void (*free_fcn) (void *block);
} XML_Memory_Handling_Suite;

/* ATTRIBUTES: the name of each and its value, and NULL. */
typedef void (*XML_StartElementHandler) (void *data, const XML_Char *name,
                                         const XML_Char **attributes);
typedef void (*XML_EndElementHandler) (void *data, const XML_Char *name);
typedef void (*XML_CharacterDataHandler) (void *data, const XML_Char *text, int length);
typedef void (*XML_StartDoctypeDeclHandler) (void *data, const XML_Char *name,
                                             const XML_Char *system, const XML_Char *external,
                                             int has_subset);

XML_Parser XML_ParserCreate_MM (const XML_Char *encoding, const XML_Memory_Handling_Suite *memory,
                                const XML_Char *separator);
void XML_ParserFree (XML_Parser parser);
void XML_SetUserData (XML_Parser parser, void *data);
void XML_SetElementHandler (XML_Parser parser, XML_StartElementHandler start,
                            XML_EndElementHandler end);
void XML_SetCharacterDataHandler (XML_Parser parser, XML_CharacterDataHandler handler);
void XML_SetStartDoctypeDeclHandler (XML_Parser parser, XML_StartDoctypeDeclHandler handler);
int XML_SetHashSalt (XML_Parser parser, unsigned long salt);
enum XML_Status XML_Parse (XML_Parser parser, const char *text, int length, int is_final);
enum XML_Status XML_StopParser (XML_Parser parser, int is_resumable);
enum XML_Error XML_GetErrorCode (XML_Parser parser);
long XML_GetCurrentByteIndex (XML_Parser parser);
