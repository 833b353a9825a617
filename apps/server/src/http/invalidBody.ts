/** A body that is not one JSON object. The message is for the client. */
export class InvalidBody extends Error {}
