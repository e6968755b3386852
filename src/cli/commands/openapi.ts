import type { Command } from 'commander'
import { adminDocument } from '../../admin/operations/document'
import { printed } from '../../api/reference'
import type { JsonFields } from '../../api/reference/json-schema'
import { reference } from '../../api/table'
import { leaf, type CommonOptions } from '../kit/leaf'
import { printJson, printPart } from '../kit/output'

interface OpenapiOptions extends CommonOptions {
  readonly admin?: true
}

export function openapiCommand(program: Command): void {
  leaf(program, 'openapi', 'print the OpenAPI document of the interface', 'openapi > openapi.json')
    .option('--admin', 'that of /admin/v1, for programs that operate the service')
    .action((options: OpenapiOptions) => {
      const document =
        options.admin === true ? (adminDocument() as JsonFields) : reference.document()
      if (options.json) return printJson(document)
      printPart(printed(document))
    })
}
