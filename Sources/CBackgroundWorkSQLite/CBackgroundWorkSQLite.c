#include "CBackgroundWorkSQLite.h"
