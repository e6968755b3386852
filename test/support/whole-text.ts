import type { Reply } from '../../src/gateway/outbound/http1/reply'

/** More than any test sends. */
const maxBytes = 256 * 1024 * 1024

/** The whole body of a vendor's reply as text. @throws as `Reply.pieces` */
export async function wholeText(reply: Reply | Promise<Reply>): Promise<string> {
  const pieces = await (await reply).pieces(maxBytes)
  return new TextDecoder().decode(Buffer.concat(pieces))
}
