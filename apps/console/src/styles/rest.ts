// All styles of the library, for every page except the first ones.
import '@mantine/core/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
