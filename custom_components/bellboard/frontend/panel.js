import"./chunks/app-CaywGAmW.js";
