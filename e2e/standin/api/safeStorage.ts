import type { SafeStorage } from 'electron/main';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { only } from './watched.ts';

type Members = 'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString';
type Backend = ReturnType<SafeStorage['getSelectedStorageBackend']>;

/**
 * `ELECTRON_STANDIN_KEYRING` is the keyring of the person who runs it: its value is the key. Without one, as without a
 * secret service, the key is a known one and the text is marked as such.
 */
export function createSafeStorage(): Pick<SafeStorage, Members> {
  const keyring = process.env['ELECTRON_STANDIN_KEYRING'];
  const backend: Backend = keyring ? 'gnome_libsecret' : 'basic_text';
  const mark = keyring ? 'v11' : 'v10';
  const key = createHash('sha256')
    .update(keyring ?? 'peanuts')
    .digest();
  return only('safeStorage', {
    isEncryptionAvailable: () => true,
    getSelectedStorageBackend: () => backend,
    encryptString(plainText: string) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from(mark), nonce, cipher.getAuthTag(), body]);
    },
    decryptString(encrypted: Buffer) {
      if (encrypted.subarray(0, 3).toString() !== mark)
        throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.');
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(3, 15));
      decipher.setAuthTag(encrypted.subarray(15, 31));
      return Buffer.concat([decipher.update(encrypted.subarray(31)), decipher.final()]).toString('utf8');
    },
  });
}
