// Linked with one layer's whole archive: proves that the layer needs only what it declares.
int main() { return 0; }
