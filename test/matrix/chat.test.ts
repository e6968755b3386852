import { chatClient } from './chat-client'
import { runMatrix } from './run-matrix'

runMatrix(chatClient)
