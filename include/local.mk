# The header of the library, #include <warpipe/warpipe.h>. The low-level headers are installed beside it, in the
# folders that they have in the tree.
warpipedir = $(includedir)/warpipe
warpipe_HEADERS = %reldir%/warpipe/warpipe.h
public_headers += $(warpipe_HEADERS)
