import { ptr } from 'bun:ffi'
import { findListener, openLibrary } from './listener'

/** socket(7), `linux/filter.h`: a program chooses among the sockets that listen at one port, in their order. */
const socketLevel = 1
const attachProgram = 51
const returnConstant = 0x06
const instructionBytes = 8
const programBytes = 16

/**
 * Has the kernel give every new connection of a port to the socket that began to listen there second: that of this
 * process, while the one before it still listens. Once that has closed, it is the only one. Linux only.
 * @returns false where the system offers no way: it spreads them over both then
 */
export function steerToSecond(port: number): boolean {
  try {
    const library = openLibrary({
      setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
    })
    const listener = findListener(port)
    if (library === null || listener === null) return false
    const instruction = Buffer.alloc(instructionBytes)
    instruction.writeUInt16LE(returnConstant)
    instruction.writeUInt32LE(1, 4)
    const program = Buffer.alloc(programBytes)
    program.writeUInt16LE(1)
    program.writeBigUInt64LE(BigInt(ptr(instruction)), programBytes / 2)
    return library.setsockopt(listener, socketLevel, attachProgram, program, programBytes) === 0
  } catch {
    return false
  }
}
