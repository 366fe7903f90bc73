import"./chunks/app-D8iWP7TH.js";
