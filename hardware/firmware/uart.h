/* 115200 8N1, interrupt driven, with a ring each way. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

void uart_init(void);

/* The next byte received, or -1. */
int16_t uart_get(void);

/* Room for n more bytes to send. */
uint8_t uart_room(uint8_t n);

/* Sends a byte; the caller has asked uart_room. */
void uart_put(uint8_t byte);

#endif
