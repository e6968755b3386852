import type { Socket } from 'node:net'
import type { LeaseAnswer, LeaseExchange, NodeId } from '../ledger/leased/exchange'
import type { LedgerStanding } from '../ledger/leased/leased-contract'
import { messageFrame, FrameReader } from './frames'
import type { Asked } from './questions'

/** Who a front is, and what it has where it had an owner before. */
export interface FrontHello {
  readonly kind: 'hello'
  readonly pid: number
  readonly resumed: { readonly node: NodeId; readonly standing: LedgerStanding } | null
}

/** What an owner gives a front. */
export interface OwnerWelcome {
  readonly kind: 'welcome'
  readonly node: NodeId
  /** Identity of the database that its spools belong to. */
  readonly database: string
  readonly spoolFolders: readonly [string, string]
  /** For whoever composes the front. */
  readonly greeting: unknown
}

/** What a front says to its owner. */
export type FrontMessage =
  | FrontHello
  | Asked
  | { readonly kind: 'exchange'; readonly exchange: LeaseExchange }
  /** It gave everything back, and closes. */
  | { readonly kind: 'bye' }

/** What an owner says to a front. */
export type OwnerMessage =
  | OwnerWelcome
  | Asked
  | { readonly kind: 'answer'; readonly answer: LeaseAnswer }
  /** Nothing of it was done. */
  | { readonly kind: 'failed'; readonly no: number; readonly why: string }
  | { readonly kind: 'question'; readonly scope: string; readonly no: number }
  /** Something but calls was written: what is kept in memory of accounts, keys and settings is old. */
  | { readonly kind: 'changed' }
  /** Another front takes its place: it ends its calls, however long they take. */
  | { readonly kind: 'leave' }

/**
 * Reads messages of a socket until it closes. What is no message ends the connection.
 * @param closed told once, however it ended
 */
export function hear<Message>(
  socket: Socket,
  heard: (message: Message) => void,
  closed: (fault: Error | null) => void,
): void {
  const reader = new FrameReader()
  let fault: Error | null = null
  socket.on('data', (bytes: Buffer) => {
    try {
      for (const message of reader.read(bytes)) heard(message as Message)
    } catch (thrown) {
      fault = thrown instanceof Error ? thrown : new Error('an unreadable message')
      socket.destroy()
    }
  })
  socket.on('error', (error) => void (fault ??= error))
  socket.on('close', () => closed(fault))
}

export function say<Message>(socket: Socket, message: Message): void {
  if (!socket.destroyed) socket.write(messageFrame(message))
}
