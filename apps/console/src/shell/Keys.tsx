import '../styles/rest.ts';
import { Kbd, Modal, Table } from '@mantine/core';

const KEYS = [
  [['Ctrl', 'K'], 'Search from anywhere'],
  [['/'], 'Go to the first filter'],
  [['j'], 'Next row'],
  [['k'], 'Row before'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close what is open'],
  [['?'], 'This list'],
] as const;

/** Lists the keys. */
export default function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard" size="sm" closeOnClickOutside>
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
