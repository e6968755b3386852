import { responsesClient } from './responses-client'
import { runMatrix } from './run-matrix'

runMatrix(responsesClient)
