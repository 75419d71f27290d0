# The header of the library, #include <warpipe/warpipe.h>, and that of policies in libraries of their own. The low-level headers are installed beside it, in the
# folders that they have in the tree.
warpipedir = $(includedir)/warpipe
warpipe_HEADERS = %reldir%/warpipe/warpipe.h %reldir%/warpipe/policy.h
public_headers += $(warpipe_HEADERS)
