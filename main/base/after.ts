/** Runs `job` after a while; the process stays for it. The returned function calls it off. */
export function after(ms: number, job: () => void): () => void {
  const timer = setTimeout(job, ms);
  return () => clearTimeout(timer);
}
