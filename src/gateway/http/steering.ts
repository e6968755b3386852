import { ptr } from 'bun:ffi'
import { findListener, openLibrary } from './listener'

/** socket(7), `linux/filter.h`: a program chooses among the sockets that listen at one port, by their order. */
const socketLevel = 1
const attachProgram = 51
const detachProgram = 68
const instructionBytes = 8
const programBytes = 16

/** One step of such a program: `struct sock_filter`. */
interface Step {
  readonly code: number
  /** Steps that are left out where a comparison holds, or does not. */
  readonly yes?: number
  readonly no?: number
  readonly value?: number
}

const returnValue = (value: number): Step => ({ code: 0x06, value })
const returnChoice: Step = { code: 0x16 }
/** `SKF_AD_OFF + SKF_AD_RANDOM` */
const random: Step = { code: 0x20, value: 0xfffff038 }
const modulo = (value: number): Step => ({ code: 0x94, value })
const below = (value: number, skipped: number): Step => ({ code: 0x35, no: skipped, value })
const plusOne: Step = { code: 0x04, value: 1 }

/** Place of a socket among those that listen at one port. */
export interface ListenerPlace {
  readonly index: number
  readonly of: number
}

/**
 * Has the kernel give every new connection of a port to the socket that began to listen there second: that of this
 * process, while the one before it still listens. Once that has closed, it is the only one. Linux only.
 * @returns false where the system offers no way: it spreads them over both then
 */
export const steerToSecond = (port: number): boolean => attach(port, [returnValue(1)])

/** Same, to all but one, until `spreadAgain`. */
export const steerAway = (port: number, { index, of }: ListenerPlace): boolean =>
  attach(port, [random, modulo(of - 1), below(index, 1), plusOne, returnChoice])

/** New connections go to any of them. */
export function spreadAgain(port: number): void {
  const library = openSetting()
  const listener = findListener(port)
  const nothing = new Uint32Array(1)
  if (listener !== null) library?.setsockopt(listener, socketLevel, detachProgram, nothing, 4)
}

const openSetting = () =>
  openLibrary({ setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' } })

function attach(port: number, steps: readonly Step[]): boolean {
  try {
    const library = openSetting()
    const listener = findListener(port)
    if (library === null || listener === null) return false
    const instructions = Buffer.alloc(instructionBytes * steps.length)
    for (const [at, { code, yes = 0, no = 0, value = 0 }] of steps.entries()) {
      const from = at * instructionBytes
      instructions.writeUInt16LE(code, from)
      instructions[from + 2] = yes
      instructions[from + 3] = no
      instructions.writeUInt32LE(value, from + 4)
    }
    const program = Buffer.alloc(programBytes)
    program.writeUInt16LE(steps.length)
    program.writeBigUInt64LE(BigInt(ptr(instructions)), programBytes / 2)
    return library.setsockopt(listener, socketLevel, attachProgram, program, programBytes) === 0
  } catch {
    return false
  }
}
