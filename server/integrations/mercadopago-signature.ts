import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether MercadoPago signed a webhook request about this id. The body is not signed: only the id can be trusted, and it
 * only causes another reading, for which the age of the signature does not matter.
 * @param secret the secret of the application's webhook, shown in MercadoPago's panel
 * @param given the headers x-signature ("ts=...,v1=..."; `ts` is used as received, seconds or milliseconds) and
 * x-request-id, and the parameter "data.id" of the address
 */
export function isSigned(
  secret: string,
  { signature, requestId, dataId }: { signature: string | null; requestId: string | null; dataId: string | null },
): boolean {
  const parts = new Map(
    (signature ?? "").split(",").map((part) => {
      const [name = "", value = ""] = part.split("=", 2);
      return [name.trim(), value.trim()] as const;
    }),
  );
  const ts = parts.get("ts") ?? "";
  const v1 = (parts.get("v1") ?? "").toLowerCase();
  if (!/^\d{1,16}$/.test(ts) || !/^[0-9a-f]{64}$/.test(v1)) return false;
  const signed = Buffer.from(v1, "hex");
  // The documentation signs ids in lower case, the vendor's library as they are: both are valid.
  return [...new Set([dataId, dataId?.toLowerCase() ?? null])].some((id) => {
    const manifest = `${id ? `id:${id};` : ""}${requestId ? `request-id:${requestId};` : ""}ts:${ts};`;
    return timingSafeEqual(createHmac("sha256", secret).update(manifest).digest(), signed);
  });
}
