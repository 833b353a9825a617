// Started by `roundhouse serve`, never by hand.
import '../dist/workers/main.js';
