/** Sockets of this machine as its C library takes them: unix(7), socket(7), send(2). Linux only. */
export const unixFamily = 1
export const closeOnExec = 0o2000000
export const noSignal = 0x4000

/** `struct sockaddr_un`. @param path of at most 107 bytes; one that begins with `@` is no file's (an abstract name) */
export function unixAddress(path: string): Buffer {
  const name = Buffer.from(path)
  const address = Buffer.alloc(2 + name.length)
  address.writeUInt16LE(unixFamily)
  name.copy(address, 2)
  if (path.startsWith('@')) address[2] = 0
  return address
}
