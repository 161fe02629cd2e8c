#include "CBackgroundWorkCrypto.h"
