"""The panel in Home Assistant's sidebar: what it shows and does, as websocket commands for administrators."""
