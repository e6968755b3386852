/** Media type of a picture by its first bytes (WHATWG MIME Sniffing, 6.1); null for none that vendors take. */
export function pictureType(bytes: Uint8Array): string | null {
  const begins = (at: number, ...wanted: readonly number[]) =>
    wanted.every((byte, index) => bytes[at + index] === byte)
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp'
  return begins(0, 0x47, 0x49, 0x46, 0x38) ? 'image/gif' : null
}

/** Other names that clients write for types of pictures. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
])

/** Base64 of as many bytes as tell a type. */
const headChars = 16

/**
 * Media type of a picture, by its first bytes where they tell one.
 * @param told by the client, in small letters
 * @param data base64
 */
export const trueType = (told: string, data: string): string =>
  pictureType(Buffer.from(data.slice(0, headChars), 'base64')) ?? aliases.get(told) ?? told
