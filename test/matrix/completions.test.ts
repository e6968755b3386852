import { completionsClient } from './completions-client'
import { runMatrix } from './run-matrix'

runMatrix(completionsClient)
