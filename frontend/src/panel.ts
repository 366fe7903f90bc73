/** The module that Home Assistant loads. All of the page is elsewhere, so that nothing ever imports this file. */

import "./app";
