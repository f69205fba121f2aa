// second part
