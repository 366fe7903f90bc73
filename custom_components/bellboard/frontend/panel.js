import"./chunks/app-CwFkqF70.js";
