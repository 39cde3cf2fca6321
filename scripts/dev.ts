/** `npm run dev`: the server with hot reload; with `--fake-payments` also local stand-ins of both payment providers. */
if (process.argv.includes("--fake-payments")) {
  const { startPaypalFake } = await import("#test/fakes/paypal.ts");
  const { startMercadopagoFake } = await import("#test/fakes/mercadopago.ts");
  const paypal = await startPaypalFake();
  const mercadopago = await startMercadopagoFake();
  const here = `http://127.0.0.1:${process.env.PORT || 3000}/api/webhooks`;
  Object.assign(paypal, { webhookUrl: `${here}/paypal`, delivery: "automatic" });
  Object.assign(mercadopago, { webhookUrl: `${here}/mercadopago`, delivery: "automatic" });
  Object.assign(process.env, paypal.environment, mercadopago.environment);
  console.log(`Events at PayPal: ${paypal.url}\nEvents at MercadoPago: ${mercadopago.url}`);
}
process.argv.push("--dev");
await import("#server/main.ts");
