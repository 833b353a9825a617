import '../styles/rest.ts';
import { Kbd, Modal, Table } from '@mantine/core';

const KEYS = [
  [['Ctrl', 'K'], 'Search from anywhere'],
  [['/'], 'Go to the first filter'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close the dialog'],
  [['?'], 'Show this list'],
] as const;

/** Lists the keyboard shortcuts. */
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
