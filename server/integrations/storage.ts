import { join } from "node:path";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { Config } from "../config.ts";

/** Files under keys such as "avatars/a.webp". Every method rejects if the storage does not respond. */
export type Storage = {
  /** Stores a file. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Null if the key does not exist. */
  get(key: string): Promise<Uint8Array | null>;
  /** Resolves even if the key does not exist. */
  remove(key: string): Promise<void>;
};

async function s3(url: URL) {
  // Imported on demand, because the client is large.
  const { S3Driver } = await import("flydrive/drivers/s3");
  const insecure = url.searchParams.get("tls") === "off";
  return new S3Driver({
    endpoint: `${insecure ? "http" : "https"}://${url.host}`,
    region: url.searchParams.get("region") ?? "us-east-1",
    credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
    bucket: url.pathname.replace(/^\/|\/$/g, ""),
    // Buckets in the path, no access lists, no new checksums: every compatible storage supports this.
    forcePathStyle: true,
    supportsACL: false,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    visibility: "private",
  });
}

/** True for the error of a missing file, in every driver's wording. */
const isMissing = (error: unknown): boolean => {
  const { code, name, cause } = (error ?? {}) as { code?: string; name?: string; cause?: unknown };
  return code === "ENOENT" || name === "NoSuchKey" || name === "NotFound" || (cause !== undefined && isMissing(cause));
};

/** Opens the configured storage: the data folder or an S3-compatible one. */
export async function openStorage(config: Pick<Config, "storageUrl" | "dataDir">): Promise<Storage> {
  const disk = new Disk(
    config.storageUrl
      ? await s3(config.storageUrl)
      : new FSDriver({ location: join(config.dataDir, "files"), visibility: "private" }),
  );
  return {
    put: (key, bytes, type) => disk.put(key, bytes, { contentType: type }),
    async get(key) {
      try {
        return await disk.getBytes(key);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (key) => disk.delete(key),
  };
}
