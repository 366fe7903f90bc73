import"./chunks/app-Czgn5Pml.js";
