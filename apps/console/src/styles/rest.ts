// All styles of the library, for every page but the first ones.
import '@mantine/core/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
