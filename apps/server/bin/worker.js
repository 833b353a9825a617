// Started by `roundhouse serve`, never by hand.
import '../dist/cli/workers/main.js';
