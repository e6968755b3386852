/** One message of a WebSocket: text, or bytes, which nobody here reads. */
export type Frame = string | Uint8Array<ArrayBuffer>

/** Our side of a client's WebSocket. */
export interface ClientSocket {
  /** @returns bytes sent; -1 when they wait for a slow client, 0 when they were dropped */
  send(frame: Frame): number
  /** Stops reading; what was read already may still come. */
  pause(): void
  resume(): void
  ping(): unknown
  close(code: number, reason: string): void
  /** Without a word. */
  terminate(): void
}

/** Events of a client's WebSocket. The names are those that the server calls. */
export interface ClientSocketEvents {
  /** Before it is open. @param received bytes read from it so far; null where the system does not tell */
  arrived?(received: () => number | null): void
  open(socket: ClientSocket): void
  message(socket: ClientSocket, frame: Frame): void
  /** A slow client has caught up. */
  drain(socket: ClientSocket): void
  /** The client asked for a sign of life, which the runtime gives. */
  ping?(socket: ClientSocket): void
  pong(socket: ClientSocket): void
  close(socket: ClientSocket, code: number, reason: string): void
}

/** Makes a client's request the WebSocket that it asks for. @returns false when it is none, or the client left */
export type Upgrade = (
  request: Request,
  events: ClientSocketEvents,
  headers: Readonly<Record<string, string>>,
) => boolean

/** A WebSocket to ask a server for. */
export interface SocketRequest {
  /** ws or wss. */
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Receiver of frames over a WebSocket of ours to a server. */
export interface SocketSink {
  frame(frame: Frame): void
  pong(): void
  /** It is over, told once; 1006 when it broke. */
  closed(code: number, reason: string): void
}

/** Our WebSocket to a server. */
export interface ServerSocket {
  /** Where everything goes from now on, and what came before. */
  listen(sink: SocketSink): void
  send(frame: Frame): void
  /** Bytes sent that the network has not taken. */
  waiting(): number
  /** Stops reading; what was read already may still come. */
  pause(): void
  resume(): void
  ping(): void
  close(code: number, reason: string): void
}

/** The connection broke, or was never closed in order (RFC 6455, 7.4.1). */
export const brokenClose = 1006
