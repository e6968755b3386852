/** The client closed its connection before an answer began; nobody is there to be told. */
export class ClientLeft extends Error {
  constructor() {
    super('the client left')
    this.name = 'ClientLeft'
  }
}
