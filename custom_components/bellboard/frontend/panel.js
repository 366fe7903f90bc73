import"./chunks/app-Dj53roUT.js";
