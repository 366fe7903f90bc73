"""Names used all over the demo house."""

from homeassistant.const import Platform

DOMAIN = "demo_house"
MANUFACTURER = "Demo House"
CONF_HOUSE = "house"
EVENT_TIMER = "demo_house_timer"

PLATFORMS = [
    Platform.BINARY_SENSOR,
    Platform.CLIMATE,
    Platform.COVER,
    Platform.FAN,
    Platform.LIGHT,
    Platform.LOCK,
    Platform.MEDIA_PLAYER,
    Platform.SCENE,
    Platform.SENSOR,
    Platform.SWITCH,
    Platform.TODO,
    Platform.VACUUM,
    Platform.WEATHER,
]
