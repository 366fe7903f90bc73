import"./chunks/app-CUIzTN32.js";
