import"./chunks/app-CrMjLpet.js";
