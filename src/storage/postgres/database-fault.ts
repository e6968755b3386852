/** What a database refused, with the code of the standard (SQLSTATE), or of the connection. */
export class DatabaseFault extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'DatabaseFault'
  }
}
