/** Text of a form before and after its one file. */
interface FormAround {
  readonly contentType: string
  readonly before: string
  readonly after: string
}

interface FormFile {
  readonly name: string
  readonly filename: string
  readonly contentType: string
}

/**
 * A form of our own. The file comes last, so that whoever reads it knows the fields by then.
 * @param boundary occurs in no field and no file: long, and made for this form alone
 */
export function renderForm(
  boundary: string,
  fields: readonly (readonly [name: string, value: string])[],
  file: FormFile,
): FormAround {
  const start = `--${boundary}\r\ncontent-disposition: form-data; name=`
  const texts = fields.map(([name, value]) => `${start}"${quoted(name)}"\r\n\r\n${value}\r\n`)
  const head = `${start}"${quoted(file.name)}"; filename="${quoted(file.filename)}"\r\ncontent-type: ${file.contentType}\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    before: texts.join('') + head,
    after: `\r\n--${boundary}--\r\n`,
  }
}

/** What would end the quotes or the line, as browsers write it (WHATWG HTML, 4.10.21.8). */
const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
