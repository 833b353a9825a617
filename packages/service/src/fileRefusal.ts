/** How express.static refuses a request for a part or a version of a file. It refuses nothing else so. */
const MESSAGES = { 412: 'the file is another one', 416: 'the file has no such part' } as const;

type FileRefusal = { status: keyof typeof MESSAGES; message: string; headers: Record<string, string> };

/** The refusal in an error of express.static; undefined for every other error. */
export function fileRefusal(error: unknown): FileRefusal | undefined {
  const { status, headers = {} } = (error ?? {}) as { status?: unknown; headers?: Record<string, string> };
  return status === 412 || status === 416 ? { status, message: MESSAGES[status], headers } : undefined;
}
