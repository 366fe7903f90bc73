import"./chunks/app-3GiKRpN9.js";
