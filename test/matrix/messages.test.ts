import { messagesClient } from './messages-client'
import { runMatrix } from './run-matrix'

runMatrix(messagesClient)
