#include "core/document.h"
