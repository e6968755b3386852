/** A request body that is read as it is sent, and never whole in memory. */
export interface StreamedBody {
  readonly bytes: number
  /** From its beginning, each time: a request may have to be sent again. */
  open(): BodyReader
}

/** Reader of a streamed body. */
export interface BodyReader {
  /** The next piece, lent until the one after it is asked for; null at the end. @throws Error */
  read(): Promise<Uint8Array<ArrayBuffer> | null>
  /** Nothing more will be read. What lies behind it stays until then, whoever else lets go of it. */
  close(): void
}
