/** The code of an error of Node or of the operating system, such as `ENOENT`; undefined for any other fault. */
export function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
}
