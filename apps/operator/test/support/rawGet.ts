import http from 'node:http';

/** GET with headers that `fetch` would not send, such as a Host of our own. */
export function rawGet(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string; type: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body, type: response.headers['content-type'] });
    });
    request.once('error', reject);
  });
}
