import { changeWindow, loadSettings } from '../../store/settings.ts';

/**
 * The first run is over. Where that cannot be written, because the file is malformed, the window says so by itself, and
 * the first steps come once more with the next start: nothing that a person should be asked about here.
 */
export async function markWelcomed(): Promise<void> {
  try {
    await changeWindow({ welcomed: true });
  } catch {
    // Changed outside meanwhile: once more against what it is now.
    await loadSettings()
      .then(() => changeWindow({ welcomed: true }))
      .catch(() => undefined);
  }
}
