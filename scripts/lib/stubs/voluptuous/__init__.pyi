# Home Assistant puts probatio in voluptuous' place when it is imported; the type checker has to be told.
from probatio import *
