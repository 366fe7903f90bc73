import"./chunks/app-BGMgDbk6.js";
