import"./chunks/app-BG0m3Gac.js";
