import"./chunks/app-zxNXZWCY.js";
