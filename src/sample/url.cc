#include "sample/url.h"
