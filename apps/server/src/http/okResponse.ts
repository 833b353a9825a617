export type OkResponse<Body> = { status: 200; body: Body };

export function ok<Body>(body: Body): OkResponse<Body> {
  return { status: 200, body };
}
