/* status.c - how calls end, in words. */
#include "core/base.h"
#include "sito/status.h"

const char *sito_version(void) { return SITO_VERSION; }

const char *sito_strerror(sito_rc rc) {
    switch (rc) {
    case SITO_OK: return "fine";
    case SITO_ENOMEM: return "out of memory";
    case SITO_EINVAL: return "an argument is outside its range";
    case SITO_EFULL: return "no room for this key";
    case SITO_EUNABLE: return "this filter cannot do that";
    case SITO_EIO: return "reading or writing failed";
    case SITO_EDAMAGED: return "not a whole, sound image";
    case SITO_EVERSION: return "made by a newer sito: its format is not known here";
    case SITO_ESHAPE: return "the filters differ in kind, shape, hash or seed";
    case SITO_EKEY: return "the secret key is missing, or is another one";
    case SITO_ELIMIT: return "beyond what is allowed or possible";
    case SITO_ECANCEL: return "stopped on request";
    default: return rc > 0 ? "fine" : "unknown error";
    }
}
